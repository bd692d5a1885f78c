// Shows the description that the server makes of its own routes.

globalThis.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#calls",
  deepLinking: true,
  // The default asks a server elsewhere to judge the description.
  validatorUrl: null,
});

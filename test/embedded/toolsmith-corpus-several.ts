// Requests with several subtasks, where later ones use earlier results.

import type { ToolsmithRow } from "./toolsmith-corpus-row.ts";

export const SEVERAL: readonly ToolsmithRow[] = [
  [
    "5 mi to km and 3 kg in pounds",
    'math/convert_length {"value":5,"from":"mi","to":"km"} = 8.04672',
    'math/convert_weight {"value":3,"from":"kg","to":"lb"} = 6.61386786554633',
  ],
  [
    "首先查询现在时间然后计算678乘以8776(的结果)",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'math/multiply {"numbers":[678,8776]} = 5950128',
  ],
  [
    "首先查询现在时间然后计算678乘以8776的结果",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'math/multiply {"numbers":[678,8776]} = 5950128',
  ],
  [
    "告诉我现在时间、生成一个随机数、计算123加456",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'math/random_integer {"min":1,"max":100} = 51',
    'math/add {"numbers":[123,456]} = 579',
  ],
  [
    "First check the current time, then compute 678 times 8776",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'math/multiply {"numbers":[678,8776]} = 5950128',
  ],
  [
    "Tell me the current time, generate a random number, and compute 123 plus 456",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'math/random_integer {"min":1,"max":100} = 51',
    'math/add {"numbers":[123,456]} = 579',
  ],
  [
    "北京和伦敦现在几点",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'datetime/current_time {"timezone":"Europe/London"} = 2026-11-21 08:00:00 (Europe/London)',
  ],
  [
    "求3, 5, 9的平均值和中位数",
    'math/mean {"numbers":[3,5,9]} = 5.66666666666667',
    'math/median {"numbers":[3,5,9]} = 5',
  ],
  ["the mean and median of 4, 8, 15", 'math/mean {"numbers":[4,8,15]} = 9', 'math/median {"numbers":[4,8,15]} = 8'],
  [
    "统计“hello world”的单词数和字符数",
    'text/count_words {"text":"hello world"} = 2',
    'text/count_characters {"text":"hello world"} = 11',
  ],
  [
    'count the words and characters in "to be or not to be"',
    'text/count_words {"text":"to be or not to be"} = 6',
    'text/count_characters {"text":"to be or not to be"} = 18',
  ],
  ["计算3加4，再把结果乘以2", 'math/add {"numbers":[3,4]} = 7', 'math/multiply {"numbers":[7,2]} = 14'],
  ["compute 3 plus 4, then double it", 'math/add {"numbers":[3,4]} = 7', 'math/multiply {"numbers":[7,2]} = 14'],
  [
    "生成5个1到10的随机数，然后求平均值",
    'math/random_integer {"min":1,"max":10,"count":5} = [6,6,6,6,6]',
    'math/mean {"numbers":[6,6,6,6,6]} = 6',
  ],
  [
    "把hello转成大写，再反转",
    'text/to_upper_case {"text":"hello"} = HELLO',
    'text/reverse_text {"text":"HELLO"} = OLLEH',
  ],
  [
    "reverse hello and then count its letters",
    'text/reverse_text {"text":"hello"} = olleh',
    'text/count_characters {"text":"olleh"} = 5',
  ],
  [
    "生成两个随机数，然后把它们相加",
    'math/random_integer {"min":1,"max":100,"count":2} = [51,51]',
    'math/add {"numbers":[51,51]} = 102',
  ],
  [
    "告诉我时间，然后写一首诗",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    "other: refused",
  ],
  [
    "12 times 34 and the square root of 2",
    'math/multiply {"numbers":[12,34]} = 408',
    'math/root {"value":2,"degree":2} = 1.4142135623731',
  ],
  [
    "gcd of 12 and 18 and lcm of 4 and 6",
    'math/greatest_common_divisor {"numbers":[12,18]} = 6',
    'math/least_common_multiple {"numbers":[4,6]} = 12',
  ],
  [
    "今天几号，现在几点，678乘以8776等于多少",
    'datetime/current_date {"timezone":"Asia/Shanghai","locale":"zh-CN"} = 2026年11月21日星期六',
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'math/multiply {"numbers":[678,8776]} = 5950128',
  ],
  [
    "2024年是闰年吗，今年2月有多少天",
    'calendar/is_leap_year {"year":2024} = true',
    'calendar/days_in_month {"year":2026,"month":2} = 28',
  ],
  [
    "is 2024 a leap year and how many days are in February 2024",
    'calendar/is_leap_year {"year":2024} = true',
    'calendar/days_in_month {"year":2024,"month":2} = 29',
  ],
  [
    "计算12乘以34、56加78和100减1",
    'math/multiply {"numbers":[12,34]} = 408',
    'math/add {"numbers":[56,78]} = 134',
    'math/subtract {"numbers":[100,1]} = 99',
  ],
  [
    "先生成一个随机数再把它乘以3",
    'math/random_integer {"min":1,"max":100} = 51',
    'math/multiply {"numbers":[51,3]} = 153',
  ],
  [
    "先查时间，再算1+1，最后反转abc",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'math/add {"numbers":[1,1]} = 2',
    'text/reverse_text {"text":"abc"} = cba',
  ],
  [
    "What is the current date and time?",
    'datetime/current_date {"timezone":"Asia/Shanghai","locale":"en"} = Saturday, November 21, 2026',
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
  ],
  ["-5加3，然后乘以-2", 'math/add {"numbers":[-5,3]} = -2', 'math/multiply {"numbers":[-2,-2]} = 4'],
  ["First 5 plus 3, then times 2", 'math/add {"numbers":[5,3]} = 8', 'math/multiply {"numbers":[8,2]} = 16'],
  [
    "what time is it in Tokyo and 5+6",
    'datetime/current_time {"timezone":"Asia/Tokyo"} = 2026-11-21 17:00:00 (Asia/Tokyo)',
    'math/add {"numbers":[5,6]} = 11',
  ],
  [
    "今天是几号，2的10次方是多少，然后反转“abc”",
    'datetime/current_date {"timezone":"Asia/Shanghai","locale":"zh-CN"} = 2026年11月21日星期六',
    'math/power {"base":2,"exponent":10} = 1024',
    'text/reverse_text {"text":"abc"} = cba',
  ],
  [
    "告诉我现在的时间，然后计算 (12+8)*5，最后统计“hello world”的单词数",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'math/evaluate_expression {"expression":"(12 + 8) * 5"} = 100',
    'text/count_words {"text":"hello world"} = 2',
  ],
  [
    "Get the current time, pick a random number from 1 to 10, and tell me if 2024 is a leap year",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'math/random_integer {"min":1,"max":10} = 6',
    'calendar/is_leap_year {"year":2024} = true',
  ],
  [
    "先算3加5，再乘以2，最后减去4",
    'math/add {"numbers":[3,5]} = 8',
    'math/multiply {"numbers":[8,2]} = 16',
    'math/subtract {"numbers":[16,4]} = 12',
  ],
  [
    "compute 10 plus 5, then divide by 3, and finally square it",
    'math/add {"numbers":[10,5]} = 15',
    'math/divide {"numbers":[15,3]} = 5',
    'math/power {"base":5,"exponent":2} = 25',
  ],
  [
    "calculate 678*8776 and then convert the result to binary",
    'math/multiply {"numbers":[678,8776]} = 5950128',
    'math/convert_base {"digits":"5950128","from":10,"to":2} = 10110101100101010110000',
  ],
  [
    "计算678乘以8776，然后把结果转换成十六进制",
    'math/multiply {"numbers":[678,8776]} = 5950128',
    'math/convert_base {"digits":"5950128","from":10,"to":16} = 5ACAB0',
  ],
  ["算一下 25 的平方根，然后加上 10", 'math/root {"value":25,"degree":2} = 5', 'math/add {"numbers":[5,10]} = 15'],
  [
    "告诉我今天的日期和100天后的日期",
    'datetime/current_date {"timezone":"Asia/Shanghai","locale":"zh-CN"} = 2026年11月21日星期六',
    'calendar/shift_date {"date":"2026-11-21","days":100,"locale":"zh-CN"} = 2027-03-01 星期一',
  ],
  [
    "现在几点？另外计算一下99乘以101",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'math/multiply {"numbers":[99,101]} = 9999',
  ],
  [
    "what is 15% of 200 and what is 20% of 300",
    'math/percentage_of {"percent":15,"value":200} = 30',
    'math/percentage_of {"percent":20,"value":300} = 60',
  ],
  [
    'reverse "hello", uppercase "world" and count the letters in "abc"',
    'text/reverse_text {"text":"hello"} = olleh',
    'text/to_upper_case {"text":"world"} = WORLD',
    'text/count_characters {"text":"abc"} = 3',
  ],
  [
    "生成一个1到10的随机数，判断它是不是质数",
    'math/random_integer {"min":1,"max":10} = 6',
    'math/is_prime {"n":6} = false',
  ],
  [
    "2026年2月有多少天，再乘以24",
    'calendar/days_in_month {"year":2026,"month":2} = 28',
    'math/multiply {"numbers":[28,24]} = 672',
  ],
  [
    "北京现在几点，然后计算3的立方",
    'datetime/current_time {"timezone":"Asia/Shanghai"} = 2026-11-21 16:00:00 (Asia/Shanghai)',
    'math/power {"base":3,"exponent":3} = 27',
  ],
  [
    "100的二进制，再反转",
    'math/convert_base {"digits":"100","from":10,"to":2} = 1100100',
    'text/reverse_text {"text":"1100100"} = 0010011',
  ],
];

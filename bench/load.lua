-- Transfers over HTTP for wrk: between random customers, or all from one customer (MODE=hot). A new idempotency key per request.
local mode = os.getenv("MODE") or "random"
local tokens, numbers = {}, {}
for line in io.lines(os.getenv("PEOPLE")) do
  local token, number = line:match("^(%S+) (%S+)$")
  tokens[#tokens + 1] = token
  numbers[#numbers + 1] = number
end
local file = io.open("/dev/urandom", "rb")
local seed = 0
for _, byte in ipairs({ file:read(4):byte(1, 4) }) do seed = seed * 256 + byte end
file:close()
math.randomseed(seed)
local prefix, count = string.format("%08x", math.random(0, 0x7fffffff)), 0

function request()
  local from = mode == "hot" and 1 or math.random(1, #tokens)
  local to = math.random(1, #tokens)
  if to == from then to = to % #tokens + 1 end
  count = count + 1
  local body = string.format('{"receiverAccountNumber":"%s","amount":1,"description":"bench"}', numbers[to])
  return wrk.format("POST", "/api/v1/user/transfer", {
    ["Content-Type"] = "application/json",
    ["Authorization"] = "Bearer " .. tokens[from],
    ["Idempotency-Key"] = prefix .. "-" .. count .. "-" .. math.random(1, 1e9),
  }, body)
end

local bad = {}
function response(status)
  if status ~= 201 then bad[status] = (bad[status] or 0) + 1 end
end
local threads = {}
function setup(thread) table.insert(threads, thread) end
function done(summary, latency)
  io.write(string.format("RESULT %d %d %d %.2f %.2f\n", summary.requests, summary.duration,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end

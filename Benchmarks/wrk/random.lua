-- Sends requests at random from a file of bodies, one a line: `token<TAB>body`, the token may be empty.
-- wrk -s random.lua URL -- FILE SEED
--
-- Requests are made once, before the first is sent: the driver shares the machine with what it measures. Random, so that
-- no cache of the last answers can help; seeded, so that both sides get the same.

local requests = {}

function init(arguments)
  math.randomseed(tonumber(arguments[2]))
  for line in io.lines(arguments[1]) do
    local token, body = line:match("^(.-)\t(.*)$")
    local headers = { ["Content-Type"] = "application/json" }
    -- The header with which a proxy sends the client's address.
    local address = os.getenv("BENCHMARK_ADDRESS")
    if address then headers[os.getenv("BENCHMARK_ADDRESS_HEADER")] = address end
    -- Browsers and most HTTP clients of apps accept gzip.
    headers["Accept-Encoding"] = os.getenv("BENCHMARK_ENCODING")
    if token ~= "" then headers["Authorization"] = "Bearer " .. token end
    requests[#requests + 1] = wrk.format("POST", "/graphql", headers, body)
  end
end

local random = math.random

function request()
  return requests[random(#requests)]
end

-- With a pause each connection waits as many milliseconds on average before its next request.
local pause = tonumber(os.getenv("BENCHMARK_PAUSE"))
if pause then
  function delay() return random(0, 2 * pause) end
end

-- One line for the program that runs this. Times are in microseconds.
function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests": %d, "duration": %d, "p50": %d, "p99": %d, "max": %d, "errors": '
      .. '{"connecting": %d, "reading": %d, "writing": %d, "by status": %d, "by timeout": %d}}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end

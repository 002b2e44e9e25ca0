-- KEYS: session. ARGV: the version that the server has, the maximum number of bytes.
-- A session is its version, created, accessed, interval, the marks of its latest changes; and if the server has another version: name, value ...
local session = read(KEYS[1])
if session.state == 'broken' then
  return {'broken', session.problem}
end
if session.state == 'none' then
  return {'none'}
end
if session.state == 'arriving' then
  return {'arriving', session.from}
end
local reply = {session.header[1], session.header[2], session.header[3], session.header[4], session.recent}
local fields = redis.call('HGETALL', KEYS[1])
local room = tonumber(ARGV[2])
for i = 1, #fields, 2 do
  local kind = string.sub(fields[i], 1, 2)
  if kind == 'a:' or kind == 'u:' then
    room = room - #fields[i] - #fields[i + 1]
    if room < 0 then
      return {'broken', 'it has more than ' .. ARGV[2] .. ' bytes'}
    end
    reply[#reply + 1] = fields[i]
    reply[#reply + 1] = fields[i + 1]
  end
end
return reply

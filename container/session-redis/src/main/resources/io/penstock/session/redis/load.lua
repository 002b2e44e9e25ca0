-- Loads the session. KEYS: session. ARGV: the version that the server has, the maximum number of bytes.
-- The reply is version, created, accessed, interval, the marks of the latest changes, and then name, value ... of all attributes. The attributes
-- are missing if the server has this version (known.lua).
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

-- The first step of a change of an id in a cluster, at the former key. KEYS: session. ARGV: new digest. Returns version, recent, and all fields unchanged.
local session = read(KEYS[1])
if session.state == 'broken' then
  return {'broken', session.problem}
end
if session.state ~= 'here' then
  local moved = redis.call('HGET', KEYS[1], 'moved')
  return {moved == ARGV[1] and 'moved' or 'none'}
end
local reply = {'here', text(session.version), session.recent}
for _, field in ipairs(redis.call('HGETALL', KEYS[1])) do
  reply[#reply + 1] = field
end
return reply

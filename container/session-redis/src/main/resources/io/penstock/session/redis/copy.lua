-- The first step of an id change in a cluster, at the former key. KEYS: session. ARGV: new digest.
-- Returns the version, the field recent, and all fields as they are stored.
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

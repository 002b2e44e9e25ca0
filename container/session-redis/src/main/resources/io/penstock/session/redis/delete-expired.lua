-- Deletes the session if it has expired. Uses the times of the session, since the index can have an earlier time.
-- KEYS: session, index. ARGV: now.
local session = read(KEYS[1])
if session.state == 'broken' then
  redis.call('ZREM', KEYS[2], digest(KEYS[1]))
  return {'broken', session.problem}
end
if session.state ~= 'here' then
  redis.call('ZREM', KEYS[2], digest(KEYS[1]))
  return {'none'}
end
if session.interval <= 0 or session.accessed + session.interval * 1000 > tonumber(ARGV[1]) then
  return {'none'}
end
redis.call('ZREM', KEYS[2], digest(KEYS[1]))
redis.call('UNLINK', KEYS[1])
return {'deleted'}

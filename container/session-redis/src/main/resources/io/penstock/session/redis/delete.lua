-- Deletes the session. Also deletes a key that is not a session. Otherwise, nothing would delete this key.
-- KEYS: session, index.
local session = read(KEYS[1])
redis.call('ZREM', KEYS[2], digest(KEYS[1]))
if session.state == 'here' or session.state == 'broken' then
  redis.call('UNLINK', KEYS[1])
end
return {session.state == 'here' and 'deleted' or 'none'}

-- KEYS: session, index. Also deletes a key that is not a session, since it would stay for ever.
local session = read(KEYS[1])
redis.call('ZREM', KEYS[2], digest(KEYS[1]))
if session.state == 'here' or session.state == 'broken' then
  redis.call('UNLINK', KEYS[1])
end
return {session.state == 'here' and 'deleted' or 'none'}

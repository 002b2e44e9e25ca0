-- The third step, at the former key: removes the session if it is unchanged since the copy. A note with the new digest stays for some time.
-- KEYS: session, index. ARGV: copied version, copied recent, new digest, milliseconds.
local session = read(KEYS[1])
if session.state == 'broken' then
  return {'broken', session.problem}
end
if session.state ~= 'here' then
  return {redis.call('HGET', KEYS[1], 'moved') == ARGV[3] and 'moved' or 'none'}
end
if text(session.version) ~= ARGV[1] or session.recent ~= ARGV[2] then
  return {'changed'}
end
redis.call('ZREM', KEYS[2], digest(KEYS[1]))
redis.call('UNLINK', KEYS[1])
redis.call('HSET', KEYS[1], 'moved', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {'moved'}

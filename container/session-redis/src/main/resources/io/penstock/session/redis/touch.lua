-- KEYS: session, index. ARGV: accessed, digest.
local session = read(KEYS[1])
if session.state == 'broken' then
  return {'broken', session.problem}
end
local accessed = tonumber(ARGV[1])
if session.state == 'here' and accessed > session.accessed then
  schedule(KEYS[2], ARGV[2], accessed, session.interval)
  redis.call('HSET', KEYS[1], 'accessed', text(accessed))
  outlast(KEYS[1], session.interval)
end
return {'done'}

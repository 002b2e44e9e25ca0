-- Sets the time of last use. KEYS: session, index. ARGV: accessed.
local session = read(KEYS[1])
if session.state == 'broken' then
  return {'broken', session.problem}
end
local accessed = tonumber(ARGV[1])
if session.state == 'here' and accessed > session.accessed then
  local due = is_due(session.accessed, accessed)
  if due then
    schedule(KEYS[2], KEYS[1], accessed, session.interval)
  end
  redis.call('HSET', KEYS[1], 'accessed', ARGV[1])
  if due then
    outlast(KEYS[1], session.interval)
  end
end
return {'done'}

-- The last step of an id change in a cluster, at the new key: turns the copy into a session. KEYS: session, index.
local session = read(KEYS[1])
if session.state == 'broken' then
  return {'broken', session.problem}
end
if session.state == 'arriving' then
  schedule(KEYS[2], KEYS[1], session.accessed, session.interval)
  redis.call('HDEL', KEYS[1], 'from')
  outlast(KEYS[1], session.interval)
end
return {session.state == 'none' and 'none' or 'saved', session.version or 0}

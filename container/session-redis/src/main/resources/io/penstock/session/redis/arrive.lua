-- The second step, at the new key: a copy that nobody finds yet, and that goes by itself. KEYS: session. ARGV: former digest, milliseconds, name, value ...
if read(KEYS[1]).state == 'here' then
  return {'stale', 0}
end
redis.call('DEL', KEYS[1])
for i = 3, #ARGV, 1000 do
  redis.call('HSET', KEYS[1], unpack(ARGV, i, math.min(i + 999, #ARGV)))
end
redis.call('HSET', KEYS[1], 'from', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {'saved', 0}

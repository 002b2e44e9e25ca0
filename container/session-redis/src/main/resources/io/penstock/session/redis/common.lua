-- What all scripts begin with. Times are milliseconds since 1970; numbers are stored as decimal text.

-- Sessions outlast their time in Redis by a day, so that servers delete them, which call listeners. Without any server Redis does.
local GRACE = 86400000

local function text(number)
  return string.format('%.0f', number)
end

local function number(value)
  if value and #value <= 16 and string.find(value, '^%-?%d+$') then
    return tonumber(value)
  end
  return nil
end

-- The state of a key: 'here', 'none', 'arriving' (a copy of a session that is about to get this key) or 'broken'.
local function read(key)
  local found = redis.pcall('HMGET', key, 'version', 'created', 'accessed', 'interval', 'recent', 'from', 'moved')
  if found.err then
    return {state = 'broken', problem = found.err}
  end
  if not found[1] then
    if found[7] or redis.call('EXISTS', key) == 0 then
      return {state = 'none'}
    end
    return {state = 'broken', problem = 'a hash without a version'}
  end
  local session = {
    state = found[6] and 'arriving' or 'here',
    version = number(found[1]),
    created = number(found[2]),
    accessed = number(found[3]),
    interval = number(found[4]),
    recent = found[5] or '',
    from = found[6]
  }
  if not (session.version and session.created and session.accessed and session.interval) then
    return {state = 'broken', problem = 'a field is missing or is no number'}
  end
  return session
end

-- Tells the index when the session ends. It is the first write of each script: if it fails, nothing has changed.
local function schedule(index, digest, accessed, interval)
  if interval <= 0 then
    redis.call('ZREM', index, digest)
    return
  end
  redis.call('ZADD', index, text(accessed + interval * 1000), digest)
  local needed = interval * 1000 + GRACE
  if redis.call('PTTL', index) < needed then
    redis.call('PEXPIRE', index, text(needed + GRACE))
  end
end

local function outlast(key, interval)
  if interval > 0 then
    redis.call('PEXPIRE', key, text(interval * 1000 + GRACE))
  else
    redis.call('PERSIST', key)
  end
end


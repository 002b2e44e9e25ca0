-- The beginning of all scripts. Times are milliseconds since 1970; numbers are stored as decimal text.

-- Redis keeps a session for at least a day after its expiry, so that a server can delete it and call the listeners. Without a server, Redis deletes it.
local DAY, HALF_DAY = 86400000, 43200000

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
    if not string.find(found.err, 'WRONGTYPE', 1, true) then
      redis.call('HMGET', key, 'version') -- raises the error again, since it does not concern this session alone
    end
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
    from = found[6],
    header = found
  }
  if not (session.version and session.created and session.accessed and session.interval) then
    return {state = 'broken', problem = 'a field is missing or is no number'}
  end
  return session
end

-- The digest of a session's id, at the end of its key.
local function digest(key)
  return string.sub(key, -64)
end

-- Returns whether the time at which Redis deletes the session must be moved. This is necessary once in each half of a day in which the session is used.
local function is_due(before, accessed)
  return math.floor(before / HALF_DAY) ~= math.floor(accessed / HALF_DAY)
end

-- Writes the expiry of the session to the index. It is the first write of each script: if it fails, nothing has changed. The index may have an
-- earlier time than the session, since the search for expired sessions corrects it. So a change of only the time of last use does not call this.
local function schedule(index, key, accessed, interval)
  if interval <= 0 then
    redis.call('ZREM', index, digest(key))
    return
  end
  redis.call('ZADD', index, text(accessed + interval * 1000), digest(key))
  local needed = interval * 1000 + DAY + HALF_DAY
  if redis.call('PTTL', index) < needed then
    redis.call('PEXPIRE', index, text(needed + DAY))
  end
end

local function outlast(key, interval)
  if interval > 0 then
    redis.call('PEXPIRE', key, text(interval * 1000 + DAY + HALF_DAY))
  else
    redis.call('PERSIST', key)
  end
end


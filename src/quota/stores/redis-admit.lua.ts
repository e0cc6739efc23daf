/**
 * The one script: a call a key. KEYS `gw:{key}:quota`, `gw:{key}:asked:<writer>`: the braces put both into one slot.
 *
 * ARGV 1 epoch ('' keeps the hash's own), 2 version ('' is any), 3 how many (0 looks, -1 takes back what `batch` was granted),
 * 4 to 7 limits of minute, day, month, tokens ('' is none), 8 batch; then nothing or the whole of a row: 9 version,
 * 10 to 15 start and count of minute, day, month, 16 month and 17 count of the tokens, 18 to 20 the versions at which minute,
 * day and month were last reset.
 *
 * Answers {'ok', version, granted, now in ms, then as look.sql.ts has it: m, mu, d, du, mo, mou, tokens}, {'stale', version},
 * {'cold', version}: a row is needed, {'epoch', newer epoch}, {'late'}: the batch was taken back before it came.
 */
export const REDIS_ADMIT = `
local A, N = ARGV, tonumber
local F = {'e', 'v', 'm', 'mc', 'd', 'dc', 'mo', 'moc', 'tmo', 'tok', 'rm', 'rd', 'ro'}
local h = redis.call('HMGET', KEYS[1], unpack(F))
for i = 1, #F do h[i] = N(h[i] or 0) end
local function save(from, to)
  local f = {}
  for i = from, to do
    f[#f + 1] = F[i]
    f[#f + 1] = h[i]
  end
  redis.call('HSET', KEYS[1], unpack(f))
  redis.call('EXPIRE', KEYS[1], 172800)                -- gone means cold, and is filled again from the database
end
local n = N(A[3])
local last, had, am, ad, amo = (n ~= 0 and redis.call('GET', KEYS[2]) or ''):match('^(%d+):(%d+):(%d+):(%d+):(%d+)$')
if n < 0 then
  if last == A[8] and h[2] > 0 then
    if N(am) == h[3] then h[4] = math.max(0, h[4] - N(had)) end
    if N(ad) == h[5] then h[6] = math.max(0, h[6] - N(had)) end
    if N(amo) == h[7] then h[8] = math.max(0, h[8] - N(had)) end
    save(3, 8)
  end
  if not last or N(last) <= N(A[8]) then redis.call('SET', KEYS[2], A[8] .. ':0:0:0:0', 'EX', 300) end
  return {'ok'}
end
if n > 0 and last and N(last) >= N(A[8]) then return {'late'} end
local epoch = N(A[1]) or h[1]
if A[9] then
  local r = {}
  for i = 9, 20 do r[i - 8] = N(A[i]) end
  if r[1] < h[2] then return {'cold', h[2]} end        -- read before a change that has come here already
  for w = 0, 2 do                                      -- counts from before a reset are worth nothing, whoever tells of it first
    if r[10 + w] > h[11 + w] then h[4 + 2 * w], h[11 + w] = 0, r[10 + w] end
  end
  for w = 0, 3 do                                      -- a window's newer start, then the higher count: the row may be behind, never ahead
    local start, count = r[2 + 2 * w], r[3 + 2 * w]
    if start > h[3 + 2 * w] then h[3 + 2 * w], h[4 + 2 * w] = start, count
    elseif start == h[3 + 2 * w] and count > h[4 + 2 * w] then h[4 + 2 * w] = count end
  end
  h[1], h[2] = math.max(h[1], epoch), r[1]
  save(1, #F)
elseif h[2] == 0 or h[1] < epoch or (N(A[2]) or 0) > h[2] then
  if (N(A[2]) or h[2]) < h[2] then return {'stale', h[2]} end
  return {'cold', h[2]}
elseif h[1] > epoch then return {'epoch', h[1]} end
if A[2] ~= '' and N(A[2]) ~= h[2] then return {'stale', h[2]} end
local t = redis.call('TIME')
local s = N(t[1])
local m, d = math.floor(s / 60), math.floor(s / 86400)
local z = d + 719468                                   -- days to year and month (H. Hinnant)
local doe = z % 146097
local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
local mp = math.floor((5 * (doe - 365 * yoe - math.floor(yoe / 4) + math.floor(yoe / 100)) + 2) / 153)
local mo = (yoe + math.floor(z / 146097) * 400) * 12 + mp + 2   -- year * 12 + month - 1; March is mp 0
local function roll(i, now)                            -- kept if it is this one or the next (a clock put back)
  local ahead = h[i] - now
  if ahead ~= 0 and ahead ~= 1 then h[i], h[i + 1] = now, 0 end
end
roll(3, m) roll(5, d) roll(7, mo)
local tokens = h[9] == mo and h[10] or 0
local granted = n
local function room(limit, used) if limit ~= '' then granted = math.max(0, math.min(granted, N(limit) - used)) end end
room(A[4], h[4]) room(A[5], h[6]) room(A[6], h[8])
if A[7] ~= '' and tokens >= N(A[7]) then granted = 0 end
local mu, du, mou = h[4], h[6], h[8]
if n > 0 then
  redis.call('SET', KEYS[2], table.concat({A[8], granted, h[3], h[5], h[7]}, ':'), 'EX', 300)
  if granted > 0 then
    h[4], h[6], h[8] = mu + granted, du + granted, mou + granted
    save(3, 8)
  end
end
return {'ok', h[2], granted, s * 1000 + math.floor(N(t[2]) / 1000), h[3], mu, h[5], du, h[7], mou, tokens}`;

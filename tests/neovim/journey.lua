-- The way from a mistake to a verified model in Neovim: opened, saved, underlined, stepped through, mended, checked
-- by two processes.
--
-- Run by `tests/neovim/run`; ends with code 0 if everything was as it should be, and says what was not.

local function fail(what)
  io.stderr:write('FAILED: ' .. what .. '\n')
  vim.cmd('cquit 1')
end

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    fail(what .. '\n' .. vim.inspect(vim.diagnostic.get(0)) .. '\n' .. vim.api.nvim_exec('messages', true))
  end
end

local function expect(what, is, should)
  if not vim.deep_equal(is, should) then
    fail(('%s: %s instead of %s'):format(what, vim.inspect(is), vim.inspect(should)))
  end
end

-- Two processes check the model of this buffer: all is verified as before, and what explains it tells of them.
local function together()
  vim.cmd('Stubborn cluster')
  local told
  wait('two processes have checked the model', function()
    require('stubborn.server').execute('stubborn.explain', { vim.uri_from_bufnr(0), 'enters' }, function(answer)
      told = answer
    end)
    vim.wait(100)
    return told and told:find('processes come to states in an order of their own', 1, true)
  end)
  -- What `:Stubborn status` shows.
  local notify, shown = vim.notify, nil
  vim.notify = function(text)
    shown = text
  end
  vim.cmd('Stubborn status')
  wait('the verdicts are shown', function()
    return shown
  end)
  vim.notify = notify
  local _, verified = shown:gsub('verified, %d+ states', '')
  expect('verified by two processes', verified, 3)
  expect('what is underlined', #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }), 0)
  print(shown)
end

local function journey()
  vim.cmd('edit ' .. vim.env.STUBBORN_MODEL)
  expect('the filetype', vim.bo.filetype, 'promela')
  vim.cmd('write')
  local function errors()
    return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })
  end
  wait('an assertion is underlined', function()
    return #errors() == 1
  end)
  local assertion = vim.fn.search('assert(', 'nw')
  expect('the line of the assertion', errors()[1].lnum + 1, assertion)

  vim.cmd('Stubborn trail')
  wait('the trail is in the quickfix list', function()
    return #vim.fn.getqflist() > 3
  end)
  local trail = vim.fn.getqflist()
  expect('the last step', trail[#trail].lnum, assertion)
  wait('the first step is selected', function()
    return require('stubborn.trail').at() == 1
  end)
  vim.cmd('cnext')
  vim.cmd('cnext')
  vim.cmd('doautocmd CursorMoved')
  wait('the third step is selected', function()
    return require('stubborn.trail').at() == 3
  end)
  local line = vim.api.nvim_win_get_cursor(0)[1]
  expect('the line of the third step', line, trail[3].lnum)
  wait('values are shown beside the third step', function()
    for _, hint in ipairs(require('stubborn.hints').shown(0)) do
      if hint.line == line and hint.text:find('step 3 of ' .. #trail, 1, true) then
        return true
      end
    end
  end)
  vim.cmd('Stubborn prev')
  wait('the second step is selected', function()
    return require('stubborn.trail').at() == 2
  end)
  expect('the line of the second step', vim.api.nvim_win_get_cursor(0)[1], trail[2].lnum)
  vim.cmd('Stubborn next')
  wait('the third step is selected again', function()
    return require('stubborn.trail').at() == 3
  end)

  vim.fn.search('turn = other;', 'w')
  vim.cmd('Stubborn relations')
  wait('dependent statements are in the location list', function()
    return #vim.fn.getloclist(0) > 0
  end)

  -- The two lines with arrows change places.
  local first = vim.fn.search('turn = other;', 'nw')
  vim.cmd(('%dmove %d'):format(first, first + 1))
  vim.cmd([[%s/::\tturn = other;/turn = other;/e]])
  vim.cmd([[%s/^\t\twants\[_pid\] = true;/\t::\twants[_pid] = true;/e]])
  vim.cmd([[%s/^\tturn = other;/\t\tturn = other;/e]])
  vim.cmd('write')
  local verdicts
  wait('everything is verified', function()
    require('stubborn.server').execute('stubborn.status', { vim.uri_from_bufnr(0) }, function(answer)
      verdicts = answer
    end)
    vim.wait(100)
    for _, property in ipairs(verdicts or { {} }) do
      if property.status ~= 'decided' or property.verdict ~= 'holds' then
        return false
      end
    end
    return #errors() == 0
  end)
  print('verified: ' .. #verdicts .. ' properties')
  together()
end

-- A model of another language, or a part of one: its filetype, its colours, a violation, and the file of its steps.
local function other(name, filetype, property, steps)
  vim.cmd('edit ' .. vim.env.STUBBORN_MODELS .. '/' .. name)
  expect('the filetype of ' .. name, vim.bo.filetype, filetype)
  wait(name .. ' has colours', function()
    return vim.b.current_syntax ~= nil
  end)
  wait(property .. ' is underlined in ' .. name, function()
    return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) > 0
  end)
  vim.cmd('Stubborn trail ' .. property)
  wait('the trail of ' .. property, function()
    local list = vim.fn.getqflist({ title = 0, size = 0 })
    return vim.startswith(list.title, property) and list.size > 1
  end)
  local first = vim.fn.getqflist()[1]
  expect('the file of the steps', vim.fn.fnamemodify(vim.fn.bufname(first.bufnr), ':t'), steps)
  vim.cmd('Stubborn close')
  print(property .. ' of ' .. name)
end

local function journeys()
  journey()
  other('dve/two_locks.dve', 'dve', 'deadlock', 'two_locks.dve')
  other('helena/ferry.prop.lna', 'helena', 'never_over', 'ferry.lna')
  other('helena/two_locks.lna', 'helena', 'deadlock', 'two_locks.lna')
  other('pnml/workshop/LTLFireability.xml', 'pnml', 'LTLFireability-00', 'model.pnml')
end

local ok, why = xpcall(journeys, debug.traceback)
if not ok then
  fail(why)
end
vim.cmd('qall!')

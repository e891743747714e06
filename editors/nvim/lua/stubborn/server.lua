-- The connection to `stubborn lsp`: one server for all models.
local M = {}

M.config = {
  -- The program and its arguments.
  cmd = { 'stubborn', 'lsp' },
  -- Settings as in stubborn.toml: check, time, memory, threads, reduction, fair, shorten, defines, skip,
  -- and for checks on the cluster processes, workers, hosts, secretFile.
  settings = {},
  -- Whether :Stubborn net opens the picture with what the system opens pictures with.
  open_pictures = true,
  -- Called with (client, buffer) for each model, for mappings of one's own.
  on_attach = nil,
}

-- The filetypes of models.
M.filetypes = { 'promela', 'dve', 'helena', 'pnml' }

local client_id

function M.client()
  return client_id and vim.lsp.get_client_by_id(client_id)
end

local function root_of(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local marker = vim.fn.findfile('stubborn.toml', folder .. ';')
  if marker == '' then
    marker = vim.fn.finddir('.git', folder .. ';')
  end
  return marker == '' and folder or vim.fn.fnamemodify(marker, ':p:h')
end

local function config(buffer)
  local root = root_of(buffer)
  return {
    name = 'stubborn',
    cmd = M.config.cmd,
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    init_options = M.config.settings,
    settings = { stubborn = M.config.settings },
    handlers = {
      ['workspace/inlayHint/refresh'] = function()
        require('stubborn.hints').refresh()
        return vim.NIL
      end,
    },
    on_attach = function(client, attached)
      if M.config.on_attach then
        M.config.on_attach(client, attached)
      end
    end,
    on_exit = function(code, signal)
      client_id = nil
      if code ~= 0 then
        vim.schedule(function()
          vim.notify(('stubborn: the server ended (code %d, signal %d)'):format(code, signal), vim.log.levels.WARN)
        end)
      end
    end,
  }
end

-- Attaches a buffer with a model to the server, which is started if need be.
function M.attach(buffer)
  if not M.client() and vim.fn.executable(M.config.cmd[1]) == 0 then
    local cmd = M.config.cmd[1]
    -- Where it is noticed, it would be taken for an error of an autocommand.
    vim.schedule(function()
      vim.notify_once(
        ('stubborn: there is no program `%s`; install it, or name it in require("stubborn").setup { cmd = … }'):format(cmd),
        vim.log.levels.ERROR
      )
    end)
    return
  end
  if vim.lsp.start then
    local is_ours = function(client)
      return client.name == 'stubborn'
    end
    client_id = vim.lsp.start(config(buffer), { bufnr = buffer, reuse_client = is_ours }) or client_id
    return
  end
  -- Neovim 0.7.
  client_id = M.client() and client_id or vim.lsp.start_client(config(buffer))
  if client_id then
    vim.lsp.buf_attach_client(buffer, client_id)
  end
end

-- Asks the server to do something; `done` gets what it answers.
function M.execute(command, arguments, done)
  local client = M.client()
  if not client then
    vim.notify('stubborn: no model is open', vim.log.levels.WARN)
    return
  end
  local handler = function(err, result)
    if err then
      vim.notify('stubborn: ' .. (err.message or vim.inspect(err)), vim.log.levels.WARN)
    elseif done then
      done(result)
    end
  end
  M.request('workspace/executeCommand', { command = command, arguments = arguments }, handler)
end

-- A request; newer versions of Neovim make it a method.
function M.request(method, params, handler, buffer)
  local client = M.client()
  if not client then
    return
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, handler, buffer)
  else
    client.request(method, params, handler, buffer or 0)
  end
end

return M

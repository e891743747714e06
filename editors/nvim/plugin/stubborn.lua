-- Starts the server for models, and defines :Stubborn.
if vim.g.loaded_stubborn then
  return
end
vim.g.loaded_stubborn = true

if vim.fn.has('nvim-0.7') == 0 then
  vim.notify('stubborn: Neovim 0.7 or later is needed', vim.log.levels.WARN)
  return
end

local group = vim.api.nvim_create_augroup('stubborn', {})

vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = require('stubborn.server').filetypes,
  callback = function(event)
    require('stubborn').attach(event.buf)
  end,
})

vim.api.nvim_create_user_command('Stubborn', function(command)
  require('stubborn').command(command.fargs)
end, {
  nargs = '+',
  desc = 'Check models, and walk through trails',
  complete = function(lead, line)
    return require('stubborn').complete(lead, line)
  end,
})

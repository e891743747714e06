// One file for the extension, without what only the build needs, the highlighting grammars of all languages, and the
// licences.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';

import { build } from 'esbuild';

const grammars = '../../grammars';
rmSync('syntaxes', { recursive: true, force: true });
mkdirSync('syntaxes');
for (const language of readdirSync(grammars)) {
  cpSync(`${grammars}/${language}/${language}.tmLanguage.json`, `syntaxes/${language}.tmLanguage.json`);
}
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) {
  cpSync(`../../${licence}`, licence);
}

await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  minify: true,
  sourcemap: false,
});

/// <reference types="vite/client" />
import { registerConformance } from './register-conformance.ts';

// The project `conformance` of vitest.config.ts: npx vitest run --project conformance
registerConformance();

// The loader finds suites on the disk. By this Vite knows of them as well, and a watched run follows their changes.
import.meta.glob('../../suites/**/*.suite.ts');

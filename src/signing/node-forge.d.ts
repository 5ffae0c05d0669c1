// Parts of node-forge by themselves: all of it takes five times as long to load.

declare module 'node-forge/lib/asn1.js' {
  import type forge from 'node-forge';

  const asn1: typeof forge.asn1;
  export default asn1;
}

declare module 'node-forge/lib/util.js' {
  import type forge from 'node-forge';

  const util: typeof forge.util;
  export default util;
}

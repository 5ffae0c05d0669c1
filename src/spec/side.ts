/** Whom a statement binds, a check judges, and a profile can be declared for. */
export type Side = 'bank' | 'tpp';

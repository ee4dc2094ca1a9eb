/** The actions for many servers that are there, by one dialog. */
export type Many = 'renew' | 'upgrade' | 'auto_renew' | 'renewal_plan'

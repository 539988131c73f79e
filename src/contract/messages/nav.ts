/** Names of the places in the site’s and the dashboard’s navigation. */
export const home = 'Home';
export const about = 'About';
export const business = 'Businesses & Institutions';
export const helpDesk = 'Help Desk';
export const askHelpDesk = 'Ask the Help Desk';
export const login = 'Login';
export const dashboard = 'Dashboard';
export const administration = 'Administration';
export const logout = 'Logout';
export const overview = 'Overview';
export const transfer = 'Transfer';
export const transactions = 'Transactions';
export const loans = 'Loans';
export const settings = 'Settings';
export const addMoney = 'Add money';
export const scheduled = 'Scheduled';
export const goals = 'Goals';

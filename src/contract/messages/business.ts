/** Texts of the business page that the specification fixes. */
export const scheduleMeeting = 'Schedule a Meeting';
export const downloadBrochure = 'Download Brochure';

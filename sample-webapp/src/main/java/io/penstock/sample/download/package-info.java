/**
 * Shows a download. The browser saves the response, a table, as a file. The servlet writes each row as soon as the row
 * is computed.
 */
package io.penstock.sample.download;

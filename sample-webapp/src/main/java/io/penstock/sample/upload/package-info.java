/** Shows an upload: multipart form data and its limits. */
package io.penstock.sample.upload;

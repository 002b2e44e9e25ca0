/** A download: a table written as it is made, to be saved as a file. */
package io.penstock.sample.download;

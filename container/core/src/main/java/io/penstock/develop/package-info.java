/**
 * Applications in development. The server uses the files in the source trees of these applications. When the files change, the server
 * starts a new version of the application.
 */
@NullMarked
package io.penstock.develop;

import org.jspecify.annotations.NullMarked;

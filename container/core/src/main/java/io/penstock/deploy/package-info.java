/** Deployment: makes running web applications from WAR files, folders and code. */
@NullMarked
package io.penstock.deploy;

import org.jspecify.annotations.NullMarked;

/** Deploys and undeploys web applications, which are WAR files, folders, or contexts made in code. */
@NullMarked
package io.penstock.deploy;

import org.jspecify.annotations.NullMarked;

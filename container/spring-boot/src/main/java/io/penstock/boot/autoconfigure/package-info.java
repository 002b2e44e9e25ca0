/** The auto-configuration that Spring Boot uses if Penstock is on the class path. */
@NullMarked
package io.penstock.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;

/** The auto-configuration of Boot when Penstock is on the class path. */
@NullMarked
package io.penstock.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;

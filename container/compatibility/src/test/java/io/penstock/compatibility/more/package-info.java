/** Tests with further third-party software. They run in the Maven profile {@code compat}. */
@NullMarked
package io.penstock.compatibility.more;

import org.jspecify.annotations.NullMarked;

/** Further software that nobody here wrote; its tests run in the profile {@code compat}. */
@NullMarked
package io.penstock.compatibility.more;

import org.jspecify.annotations.NullMarked;

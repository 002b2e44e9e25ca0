/** Tests with third-party software. The tests build small web applications, which start, serve requests, are redeployed, and stop. */
@NullMarked
package io.penstock.compatibility;

import org.jspecify.annotations.NullMarked;

/** Software that nobody here wrote, in small web applications that the tests build: it boots, serves, redeploys and stops. */
@NullMarked
package io.penstock.compatibility;

import org.jspecify.annotations.NullMarked;

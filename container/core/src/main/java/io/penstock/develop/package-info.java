/** Applications in development: the server uses their files in the source tree, and a change of the files makes a new version. */
@NullMarked
package io.penstock.develop;

import org.jspecify.annotations.NullMarked;

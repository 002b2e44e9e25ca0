/** Applications in development: the server uses the files in their source trees. When the files change, it makes a new version. */
@NullMarked
package io.penstock.develop;

import org.jspecify.annotations.NullMarked;

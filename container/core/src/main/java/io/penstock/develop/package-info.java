/** Applications in development: their files lie where they are made, and a change of them is a new version. */
@NullMarked
package io.penstock.develop;

import org.jspecify.annotations.NullMarked;

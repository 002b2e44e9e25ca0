/** Bodies on disk, through a few threads of their own. Knows neither sockets nor HTTP. */
@NullMarked
package io.penstock.spool;

import org.jspecify.annotations.NullMarked;

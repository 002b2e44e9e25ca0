/** Stores the bodies of requests and responses on disk, with separate threads. This package does not depend on sockets or on HTTP. */
@NullMarked
package io.penstock.spool;

import org.jspecify.annotations.NullMarked;

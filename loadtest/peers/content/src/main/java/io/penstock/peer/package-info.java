/** What every peer's process has in common: its command line, and how the harness speaks with it. */
@NullMarked
package io.penstock.peer;

import org.jspecify.annotations.NullMarked;

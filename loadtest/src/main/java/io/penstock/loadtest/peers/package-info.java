/** The servers that are compared: started in processes of their own, asked what they hold, and ended. */
@NullMarked
package io.penstock.loadtest.peers;

import org.jspecify.annotations.NullMarked;

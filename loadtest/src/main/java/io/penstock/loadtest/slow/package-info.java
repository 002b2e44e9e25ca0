/** Whether a server keeps answering while slow clients stand around: a crowd of them beside steady requests. */
@NullMarked
package io.penstock.loadtest.slow;

import org.jspecify.annotations.NullMarked;

/** Markup that is safe to send, and the frame that all pages have in common. */
package io.penstock.sample.page;

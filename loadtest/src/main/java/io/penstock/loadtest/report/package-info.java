/** How a result is shown and kept: tables, JSON, charts, sections of Markdown files, and the machine it was measured on. */
@NullMarked
package io.penstock.loadtest.report;

import org.jspecify.annotations.NullMarked;

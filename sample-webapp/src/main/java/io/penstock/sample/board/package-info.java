/** The link to the flow board, Penstock's live page for operators. */
package io.penstock.sample.board;

import { Module } from '@nestjs/common';
import { Transactions } from './transactions.js';

/** Transactions for what changes something. Apart from the connection itself, which the application sets up once. */
@Module({ providers: [Transactions], exports: [Transactions] })
export class TransactionsModule {}
